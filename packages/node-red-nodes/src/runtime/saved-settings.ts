// Flows saved before 0.1 use these names. They keep working; the form shows and saves the current name.
const currentNames: Readonly<Record<string, string>> = { beside: 'parallel', all: 'whole' }

/** The current name of a choice that a flow has saved. */
export function currentChoice<Choice extends string>(saved: Choice): Choice {
  return (Object.hasOwn(currentNames, saved) ? currentNames[saved] : saved) as Choice
}

/** A text that a flow has saved, without spaces around it. A hand-written flow may contain any value, which counts as empty. */
export function trimmedText(saved: unknown): string {
  return typeof saved === 'string' ? saved.trim() : ''
}
