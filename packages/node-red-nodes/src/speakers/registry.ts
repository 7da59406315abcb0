import type { NodeAPI } from 'node-red'
import type { SoundStore } from '../sounds/sound-store.ts'
import { createAnotherNodeDriver } from './another-node/another-node.ts'
import { createAutomaticDriver } from './automatic/automatic.ts'
import type { Driver } from './driver.ts'
import { createEditorDriver } from './editor/editor.ts'
import { createMachineDriver } from './machine/machine.ts'
import { createPageDriver } from './page/page.ts'

/** What a driver may use. */
export interface DriverContext {
  RED: NodeAPI
  sounds: SoundStore
  /** The settings of the speaker's form; each driver reads its own. */
  config: Readonly<Record<string, unknown>>
}

export type CreateDriver = (context: DriverContext) => Driver

/** Every kind of speaker. The form of the speaker node offers it, with texts in each language. */
export const drivers: Readonly<Record<string, CreateDriver>> = {
  automatic: ({ RED }) =>
    createAutomaticDriver({
      editor: createEditorDriver(RED),
      machine: createMachineDriver({ RED }),
    }),
  editor: ({ RED }) => createEditorDriver(RED),
  machine: ({ RED }) => createMachineDriver({ RED }),
  'another-node': createAnotherNodeDriver,
  page: ({ RED, config }) => createPageDriver(RED, pageNameOf(config)),
}

/** The name of the page of a speaker, from its settings. */
export function pageNameOf(config: { page?: unknown; name?: unknown }): string {
  return String(config.page || config.name || 'speaker')
}
