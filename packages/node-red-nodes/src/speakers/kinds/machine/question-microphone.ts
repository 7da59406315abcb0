import { record } from '../../../microphones/machine/record.ts'
import type { Microphone } from '../../../microphones/microphone.ts'
import type { Texts } from '../../../runtime/texts.ts'

/** The microphone of the machine that runs Node-RED. It hears the speaker next to it. */
export function createQuestionMicrophone(RED: Texts): Microphone {
  return {
    cancelsEcho: false,
    listen: ({ signal, onPcm }) => record({ RED: microphoneTexts(RED), device: '', signal, onPcm }),
  }
}

/** The texts of a recorder, which are in the catalogue of the microphone node. */
export function microphoneTexts(RED: Texts): Texts {
  return {
    _: (key: string, ...values: []) =>
      RED._(`@parlando/node-red/parlando-microphone:${key}`, ...values),
  }
}
