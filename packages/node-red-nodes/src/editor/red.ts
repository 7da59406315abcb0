import type { EditorRED } from 'node-red'

type Red = Omit<EditorRED, 'nodes'> & {
  nodes: Omit<EditorRED['nodes'], 'registerType'> & {
    registerType(type: string, definition: object): void
  }
  editor: {
    /** The nodes whose forms are open, the topmost last. */
    getEditStack(): { id: string }[]
  }
}

/** Node-RED's editor, in whose page all of this runs. */
export const { RED } = globalThis as unknown as { RED: Red }
