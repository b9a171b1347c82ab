/**
 * Does the glob match the whole text? `*` stands for any run of characters, `?` for one; everything else is literal. Neither wildcard
 * takes a character that `isWild` refuses. Only the last star is ever widened, so the cost is at most the product of both lengths.
 */
export function matchesGlob(
  glob: readonly string[],
  text: readonly string[],
  isWild: (character: string) => boolean = () => true,
): boolean {
  let inGlob = 0;
  let inText = 0;
  let star = -1;
  let starEnd = 0;
  while (inText < text.length) {
    const wanted = glob[inGlob];
    const found = text[inText]!;
    if (wanted === '*') {
      star = inGlob++;
      starEnd = inText;
    } else if (wanted === found || (wanted === '?' && isWild(found))) {
      inGlob++;
      inText++;
    } else if (star >= 0 && isWild(text[starEnd]!)) {
      inGlob = star + 1;
      inText = ++starEnd;
    } else {
      return false;
    }
  }
  while (glob[inGlob] === '*') inGlob++;
  return inGlob === glob.length;
}
