/** Longest pronunciation between slashes, in UTF-16 code units. */
const maxPhonesCharacters = 80

/**
 * Where the markup that begins at `start` ends: `[…]`, `<…>` with all of `<verbatim>…</verbatim>`, and `/…/`. Text must
 * not be cut inside.
 *
 * @param isWhole whether `text` is all there will be.
 * @returns the index after the markup; `start` where none begins; `undefined` when only more text can tell.
 */
export function markupEnd(text: string, start: number, isWhole: boolean): number | undefined {
  const opening = text[start]
  if (opening !== '[' && opening !== '<' && opening !== '/') return start
  const end =
    opening === '['
      ? closedBy(text, start, ']')
      : opening === '<'
        ? tagEnd(text, start)
        : phonesEnd(text, start, isWhole)
  return end ?? (isWhole ? start : undefined)
}

/** What is not closed on its line was no markup. */
function closedBy(text: string, start: number, closing: string): number | undefined {
  for (let index = start + 1; index < text.length; index++) {
    if (text.startsWith(closing, index)) return index + closing.length
    if (text[index] === '\n') return start
  }
  return undefined
}

function tagEnd(text: string, start: number): number | undefined {
  const next = text[start + 1]
  if (next === undefined) return undefined
  if (!/[A-Za-z/!]/.test(next)) return start
  const end = closedBy(text, start, '>')
  if (end === undefined || end === start) return end
  if (!/^<verbatim\s*>$/i.test(text.slice(start, end))) return end
  return closedBy(text, start, '</verbatim>')
}

/** A slash begins a pronunciation where a word could begin, and ends it where a word could end. */
function phonesEnd(text: string, start: number, isWhole: boolean): number | undefined {
  if (/[\p{L}\p{N}/:.~]/u.test(text[start - 1] ?? ' ')) return start
  for (let index = start + 1; index < text.length; index++) {
    const character = text[index] ?? ''
    const before = text[index - 1] ?? ''
    const isOver =
      index - start > maxPhonesCharacters ||
      character === '\n' ||
      (/\s/.test(character) && (index === start + 1 || /[.!?]/.test(before)))
    if (isOver) return start
    if (character !== '/') continue
    if (index === start + 1 || /\s/.test(before)) return start
    const after = text[index + 1]
    if (after === undefined) return isWhole ? index + 1 : undefined
    if (!/[\p{L}\p{N}/]/u.test(after)) return index + 1
  }
  return undefined
}
