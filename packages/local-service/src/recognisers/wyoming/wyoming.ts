import { readAddress } from '../../remote/wyoming/open-connection.ts'
import { defineRecogniser } from '../define-recogniser.ts'
import { createWyomingRecogniser } from './wyoming-recogniser.ts'

const usualPort = 10_300

/** A server of the Wyoming protocol, such as those of Home Assistant. */
export const wyoming = defineRecogniser({
  name: 'wyoming',
  options: {
    wyomingRecogniser: {
      placeholder: 'ADDRESS',
      help: 'address of a Wyoming server that recognises speech, such as tcp://192.168.1.5:10300',
      read: (text) => readAddress(text, usualPort),
    },
  },
  start: ({ options: { wyomingRecogniser: address }, warn }) =>
    address ? createWyomingRecogniser({ address, warn }) : undefined,
})
