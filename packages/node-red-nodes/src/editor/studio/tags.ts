/** Tags that are separated by commas. */
export function readTags(input: JQuery<HTMLElement>): string[] {
  const tags = String(input.val()).split(',')
  return tags.map((tag) => tag.trim()).filter(Boolean)
}
