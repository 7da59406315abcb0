import { hasUnspacedScript } from './scripts.ts'

/** Longest pronunciation between slashes, in UTF-16 code units. */
const maxPhonesCharacters = 200

/** A slash after one of these opens no pronunciation: "and/or", 1/2/2026, a path or a URL. */
const noOpening = /[\p{L}\p{N}\p{M}/<\\:.~=?&#@_%-]/u

/**
 * Finds the end of the markup that begins at `start`: `[…]`, `<…>`, a whole `<verbatim>…</verbatim>`, or `/…/`. Callers
 * must not cut the text inside. An opening character is plain text if it is repeated before its closing
 * character, or if its paragraph has no closing character.
 *
 * @param isWhole whether no more text follows.
 * @returns the index after the markup; `start` if no markup begins there; `undefined` if only more text can decide.
 */
export function markupEnd(text: string, start: number, isWhole: boolean): number | undefined {
  const opening = text[start]
  if (opening !== '[' && opening !== '<' && opening !== '/') return start
  const end =
    opening === '['
      ? closedBy(text, start, ']')
      : opening === '<'
        ? tagEnd(text, start, isWhole)
        : phonesEnd(text, start, isWhole)
  return end ?? (isWhole ? start : undefined)
}

function closedBy(text: string, start: number, closing: string): number | undefined {
  const opening = text[start]
  let isBlankLine = false
  for (let index = start + 1; index < text.length; index++) {
    const character = text.charAt(index)
    if (character === closing) return index + 1
    if (character === opening || (character === '\n' && isBlankLine)) return start
    isBlankLine = character === '\n' || (isBlankLine && /\s/.test(character))
  }
  return undefined
}

function tagEnd(text: string, start: number, isWhole: boolean): number | undefined {
  const next = text[start + 1]
  if (next === undefined) return undefined
  if (!/[A-Za-z/!]/.test(next)) return start
  const end = closedBy(text, start, '>')
  if (end === undefined || end === start) return end
  if (!/^<verbatim\s*>$/i.test(text.slice(start, end))) return end
  const closing = text.indexOf('</verbatim>', end)
  if (closing >= 0) return closing + '</verbatim>'.length
  return isWhole ? end : undefined
}

/** A slash opens a pronunciation where a word can begin and closes it where a word can end. */
function phonesEnd(text: string, start: number, isWhole: boolean): number | undefined {
  if (!opensPhones(text[start - 1] ?? ' ')) return start
  for (let index = start + 1; index < text.length; index++) {
    const character = text[index] ?? ''
    const previous = text[index - 1] ?? ''
    const isOver =
      index - start > maxPhonesCharacters ||
      /[\r\n[\]<>]/.test(character) ||
      (/\s/.test(character) && (index === start + 1 || /[.!?]/.test(previous)))
    if (isOver) return start
    if (character !== '/') continue
    if (index === start + 1 || /\s/.test(previous)) return start
    const after = text[index + 1]
    if (after === undefined) return isWhole ? index + 1 : undefined
    if (!/[\p{L}\p{N}/]/u.test(after) || hasUnspacedScript(after)) return index + 1
    // Another opening slash. Without this end, thousands of them would each search the same text again.
    if (opensPhones(previous)) return start
  }
  return undefined
}

function opensPhones(before: string): boolean {
  return !noOpening.test(before) || hasUnspacedScript(before)
}
