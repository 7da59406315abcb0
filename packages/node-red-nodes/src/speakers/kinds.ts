import { anotherNodeSpeaker } from './another-node/another-node.ts'
import { automaticSpeaker } from './automatic/automatic.ts'
import { editorSpeaker } from './editor/editor.ts'
import { machineSpeaker } from './machine/machine.ts'
import { pageSpeaker } from './page/page.ts'
import type { SpeakerKind } from './speaker-kind.ts'

/** Every kind of speaker, in the order of the form. */
export const speakerKinds: Readonly<Record<string, SpeakerKind>> = {
  automatic: automaticSpeaker,
  editor: editorSpeaker,
  machine: machineSpeaker,
  page: pageSpeaker,
  'another-node': anotherNodeSpeaker,
}
