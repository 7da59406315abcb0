import type { Ear } from '../../../microphones/ear.ts'
import { record } from '../../../microphones/machine/record.ts'
import type { Texts } from '../../../runtime/texts.ts'

/** The microphone of the machine that runs Node-RED. It hears the speaker next to it. */
export function createMachineEar(RED: Texts): Ear {
  // The texts are in the catalogue of the microphone node.
  const texts: Texts = {
    _: (key: string, ...values: []) =>
      RED._(`@parlando/node-red/parlando-microphone:${key}`, ...values),
  }
  return {
    cancelsEcho: false,
    listen: ({ signal, onPcm }) => record({ RED: texts, device: '', signal, onPcm }),
  }
}
