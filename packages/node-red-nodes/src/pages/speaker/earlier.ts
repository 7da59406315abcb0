import { firstCharacters } from '@parlando/core/text'

export interface Said {
  text: string
  /** Milliseconds since 1970. */
  at: number
}

/** The current one, and ten earlier ones. */
const maxSaid = 11
/** Texts on the page are shortened to this. */
const maxCharacters = 2000

/**
 * The last announcements, the newest first, also after the page was loaded again.
 * @param openStorage Throws where the browser does not allow a page to store anything.
 */
export function createEarlier(
  openStorage: () => Pick<Storage, 'getItem' | 'setItem'>,
  key: string,
): { all(): readonly Said[]; add(said: Said): void } {
  let all = load(openStorage, key)
  return {
    all: () => all,
    add({ text, at }) {
      all = [{ text: firstCharacters(text, maxCharacters), at }, ...all].slice(0, maxSaid)
      try {
        openStorage().setItem(key, JSON.stringify(all))
      } catch {
        // They are forgotten when the page is closed.
      }
    },
  }
}

function load(openStorage: () => Pick<Storage, 'getItem'>, key: string): Said[] {
  try {
    const stored: unknown = JSON.parse(openStorage().getItem(key) ?? '[]')
    return Array.isArray(stored) ? stored.filter(isSaid).slice(0, maxSaid) : []
  } catch {
    return []
  }
}

function isSaid(value: unknown): value is Said {
  const { text, at } = (value ?? {}) as Partial<Said>
  return (
    typeof text === 'string' && typeof at === 'number' && Number.isFinite(new Date(at).getTime())
  )
}
