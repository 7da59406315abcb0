/** One of a list of things to choose from. */
export interface Choice {
  /** What the field gets. */
  value: string
  label: string
  /** A second line. */
  note?: string
  /** A word in a frame behind the label. */
  badge?: string
  /** What the list can be narrowed to, such as a language. */
  group?: string
  /** More to be found by. */
  keywords?: string
}

/** Those in which every word of `search` stands, in one group or in all. */
export function findChoices(choices: readonly Choice[], search: string, group = ''): Choice[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return choices.filter((choice) => {
    if (group && choice.group !== group) return false
    const { value, label, note, badge, keywords } = choice
    const all = [value, label, note, badge, choice.group, keywords].join(' ').toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

/** The groups of these, in alphabetical order. */
export function groupsOf(choices: readonly Choice[]): string[] {
  return [...new Set(choices.flatMap(({ group }) => group ?? []))].sort((one, other) =>
    one.localeCompare(other),
  )
}
