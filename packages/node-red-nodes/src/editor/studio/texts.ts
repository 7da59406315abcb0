import { RED } from '../red.ts'

/** A text of the node *clone voice*. */
export function cloneText(key: string): string {
  return RED._(`@parlando/node-red/parlando-clone-voice:clone-voice.${key}`)
}

/** Tags that are separated by commas. */
export function readTags(input: JQuery<HTMLElement>): string[] {
  const tags = String(input.val()).split(',')
  return tags.map((tag) => tag.trim()).filter(Boolean)
}

export function messageOf(error: unknown): string {
  return (error as Error).message
}
