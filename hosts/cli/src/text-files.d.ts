/** Files that the bundler puts in as text. */
declare module '*.yaml' {
  const text: string;
  export default text;
}

declare module '*.toml' {
  const text: string;
  export default text;
}
