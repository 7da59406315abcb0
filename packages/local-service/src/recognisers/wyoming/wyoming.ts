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
      read: readAddress,
    },
  },
  start: ({ options: { wyomingRecogniser: address }, warn }) =>
    address ? createWyomingRecogniser({ address, warn }) : undefined,
})

function readAddress(text: string): string {
  const address = text.includes('://') ? text : `tcp://${text}`
  const url = URL.canParse(address) ? new URL(address) : undefined
  if (url?.protocol !== 'tcp:' || !url.hostname || url.username || !/^\/?$/.test(url.pathname)) {
    throw new Error('an address such as tcp://192.168.1.5:10300')
  }
  return `tcp://${url.hostname}:${url.port || usualPort}`
}
