import type { Groups } from './compile-language.ts'

/** The part of a text that no rule has taken yet. */
export class RestOfText {
  #text: string
  /** The same in lower case, at the same places. An expression that ignores case takes longer to compile than all the rest. */
  #lower: string

  constructor(text: string) {
    const lower = text.toLowerCase()
    this.#lower = lower
    this.#text = lower.length === text.length ? text : lower
  }

  get text(): string {
    return this.#text
  }

  has(pattern: RegExp): boolean {
    return pattern.test(this.#lower)
  }

  hasAny(patterns: readonly RegExp[]): boolean {
    return patterns.some((pattern) => this.has(pattern))
  }

  /** Takes what a pattern finds. @returns its groups. */
  take(pattern: RegExp, accepts: (groups: Groups) => boolean = () => true): Groups | undefined {
    const found = pattern.exec(this.#lower)
    if (!found || !accepts(found.groups ?? {})) return undefined
    const end = found.index + found[0].length
    // No later rule joins what was apart.
    const cut = (text: string) => `${text.slice(0, found.index)}\n${text.slice(end)}`
    this.#text = cut(this.#text)
    this.#lower = cut(this.#lower)
    return found.groups ?? {}
  }

  /** Takes what the first pattern finds that finds something. @returns its groups. */
  takeFirst(patterns: readonly RegExp[]): Groups | undefined {
    for (const pattern of patterns) {
      const found = this.take(pattern)
      if (found) return found
    }
    return undefined
  }
}
