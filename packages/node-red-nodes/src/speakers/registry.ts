import type { NodeAPI } from 'node-red'
import type { SoundStore } from '../sounds/sound-store.ts'
import type { Driver } from './driver.ts'
import { createMachineDriver } from './machine/machine.ts'

/** What a driver may use. */
export interface DriverContext {
  RED: NodeAPI
  sounds: SoundStore
  /** The settings of the speaker's form; each driver reads its own. */
  config: Readonly<Record<string, unknown>>
}

export type CreateDriver = (context: DriverContext) => Driver

/** Every kind of loudspeaker: its folder, and a line here. */
export const drivers: Readonly<Record<string, CreateDriver>> = {
  machine: () => createMachineDriver(),
}
