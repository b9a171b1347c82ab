/**
 * Why a variable may not be declared for a subprocess, or `undefined` when it may. One predicate for every tool that starts processes:
 * these names decide which code a program loads, which settings it obeys or where it finds credentials. Compared without case, as
 * Windows does.
 */
export function refusedVariable(name: string): string | undefined {
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/u.test(name)) return 'is no variable name';
  const upper = name.toUpperCase();
  const rule = RULES.find(({ names, prefixes }) => names.has(upper) || prefixes.some((prefix) => upper.startsWith(prefix)));
  return rule?.why;
}

interface Rule {
  readonly why: string;
  readonly names: ReadonlySet<string>;
  readonly prefixes: readonly string[];
}

const RULES: readonly Rule[] = [
  {
    why: 'belongs to the environment that the host makes',
    names: words(
      'PATH PATHEXT HOME USER LOGNAME USERNAME USERPROFILE HOMEDRIVE HOMEPATH APPDATA LOCALAPPDATA PROGRAMDATA SHELL COMSPEC SYSTEMROOT WINDIR',
    ),
    prefixes: ['XDG_', 'RELAVIUM_'],
  },
  {
    why: 'decides which code the dynamic loader or the C library loads',
    names: words(
      'GCONV_PATH GLIBC_TUNABLES HOSTALIASES LIBPATH LOCALDOMAIN LOCPATH NLSPATH RES_OPTIONS RESOLV_HOST_CONF SHLIB_PATH TERMCAP TERMINFO TERMINFO_DIRS ' +
        'GTK_MODULES GTK_PATH GIO_MODULE_DIR GIO_EXTRA_MODULES QT_PLUGIN_PATH GST_PLUGIN_PATH',
    ),
    prefixes: ['LD_', 'DYLD_', '_RLD', 'MALLOC_'],
  },
  {
    why: 'decides what a shell runs or how it reads',
    names: words(
      'BASH_ENV BASHOPTS CDPATH ENV FIGNORE FPATH GLOBIGNORE HISTFILE IFS INPUTRC KSH_ENV PROMPT_COMMAND PS1 PS2 PS4 SHELLOPTS ZDOTDIR PSMODULEPATH',
    ),
    prefixes: ['BASH_FUNC_'],
  },
  {
    why: 'decides which code an interpreter or a build tool loads',
    names: words(
      'NODE_OPTIONS NODE_PATH NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED NODE_REPL_EXTERNAL_MODULE NODE_V8_COVERAGE NODE_COMPILE_CACHE ELECTRON_RUN_AS_NODE ' +
        'PYTHONPATH PYTHONHOME PYTHONSTARTUP PYTHONINSPECT PYTHONBREAKPOINT PYTHONEXECUTABLE PYTHONUSERBASE PYTHONWARNINGS PYTHONPLATLIBDIR PYTHONPYCACHEPREFIX ' +
        'RUBYOPT RUBYLIB RUBYSHELL GEM_HOME GEM_PATH PERL5LIB PERL5OPT PERL5DB PERL5SHELL PERLLIB PERL_MB_OPT PERL_MM_OPT ' +
        'JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS JAVA_OPTS JAVA_HOME CLASSPATH MAVEN_OPTS MAVEN_ARGS GRADLE_OPTS GRADLE_USER_HOME ANT_OPTS SBT_OPTS ' +
        'LUA_PATH LUA_CPATH PHPRC PHP_INI_SCAN_DIR R_PROFILE R_PROFILE_USER R_ENVIRON R_ENVIRON_USER JULIA_LOAD_PATH JULIA_DEPOT_PATH ' +
        'ERL_LIBS ERL_FLAGS ERL_AFLAGS ERL_ZFLAGS GOFLAGS GOENV GOROOT GOTOOLDIR GOTOOLCHAIN RUSTC RUSTDOC RUSTFLAGS RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER ' +
        'RUSTUP_HOME RUSTUP_TOOLCHAIN DENO_DIR COMPOSER_HOME MAKEFLAGS MAKEFILES MFLAGS GNUMAKEFLAGS COR_ENABLE_PROFILING COR_PROFILER COR_PROFILER_PATH ' +
        'PAGER MANPAGER EDITOR VISUAL BROWSER LESS LESSOPEN LESSCLOSE',
    ),
    prefixes: ['LUA_INIT', 'LUA_PATH_', 'LUA_CPATH_', 'BUNDLE_', 'CARGO_', 'CORECLR_', 'DOTNET_'],
  },
  {
    why: 'redirects git or another version control program',
    names: words('SVN_SSH SVN_EDITOR CVS_RSH RSYNC_RSH HGRCPATH HGEDITOR HGMERGE'),
    prefixes: ['GIT_'],
  },
  {
    why: 'redirects a package manager',
    names: new Set(),
    prefixes: ['NPM_CONFIG_', 'PNPM_', 'YARN_', 'PIP_', 'UV_', 'POETRY_', 'CONDA_'],
  },
  {
    why: 'redirects where credentials or trust are found',
    names: words(
      'AWS_CONFIG_FILE AWS_SHARED_CREDENTIALS_FILE AWS_WEB_IDENTITY_TOKEN_FILE AWS_CA_BUNDLE AZURE_CONFIG_DIR BOTO_CONFIG GOOGLE_APPLICATION_CREDENTIALS ' +
        'KUBECONFIG DOCKER_CONFIG DOCKER_HOST DOCKER_CONTEXT DOCKER_CERT_PATH CONTAINER_HOST GNUPGHOME NETRC CURL_HOME WGETRC SYSTEM_WGETRC PGPASSFILE PGSERVICEFILE ' +
        'PGSYSCONFDIR PGSSLKEY PGSSLCERT PGSSLROOTCERT MYSQL_HOME TF_CLI_CONFIG_FILE TERRAFORM_CONFIG VAULT_CONFIG_PATH ANSIBLE_CONFIG SSH_AUTH_SOCK SSH_ASKPASS ' +
        'SSH_ASKPASS_REQUIRE SUDO_ASKPASS SSL_CERT_FILE SSL_CERT_DIR SSLKEYLOGFILE OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES REQUESTS_CA_BUNDLE CURL_CA_BUNDLE ' +
        'KRB5CCNAME KRB5_CONFIG KRB5_KTNAME',
    ),
    prefixes: ['AWS_ENDPOINT_URL', 'AWS_CONTAINER_', 'CLOUDSDK_', 'HELM_'],
  },
  {
    why: 'redirects network traffic',
    names: words('HTTP_PROXY HTTPS_PROXY FTP_PROXY ALL_PROXY NO_PROXY RSYNC_PROXY'),
    prefixes: [],
  },
];

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' '));
}
