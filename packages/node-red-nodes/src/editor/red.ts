import type { EditorRED } from 'node-red'

type Red = EditorRED & {
  editor: {
    /** The nodes whose forms are open, the topmost last. */
    getEditStack(): { id: string }[]
  }
}

/** Node-RED's editor, in whose page all of this runs. */
export const { RED } = globalThis as unknown as { RED: Red }
