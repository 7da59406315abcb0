/** A choice in a list. */
export interface Choice {
  /** The value for the field. */
  value: string
  label: string
  /** A second line. */
  note?: string
  /** A word in a frame after the label. */
  badge?: string
  /** The group for the filter, such as a language. */
  group?: string
  /** Further words for the search. */
  keywords?: string
}

/** The choices that contain every word of `search`, in one group or in all. */
export function findChoices(choices: readonly Choice[], search: string, group = ''): Choice[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return choices.filter((choice) => {
    if (group && choice.group !== group) return false
    const { value, label, note, badge, keywords } = choice
    const all = [value, label, note, badge, choice.group, keywords].join(' ').toLowerCase()
    return words.every((word) => all.includes(word))
  })
}

/** The groups of the choices, in alphabetical order. */
export function groupsOf(choices: readonly Choice[]): string[] {
  return [...new Set(choices.flatMap(({ group }) => group ?? []))].sort((one, other) =>
    one.localeCompare(other),
  )
}
