import { RED } from '../red.ts'

/** A text of the node *clone voice*. */
export function cloneText(key: string): string {
  return RED._(`@parlando/node-red/parlando-clone-voice:clone-voice.${key}`)
}
