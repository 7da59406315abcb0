import { createDescribedList } from '../../remote/wyoming/described-list.ts'
import { openConnection, readAddress } from '../../remote/wyoming/open-connection.ts'
import { createUtteranceSlots } from '../listening-slots.ts'
import { defineRecogniser, type Recogniser } from '../recogniser.ts'
import { readPrograms } from './program-list.ts'
import { WyomingUtterance } from './wyoming-utterance.ts'

export interface WyomingRecogniserOptions {
  /** An address such as `tcp://192.168.1.5:10300`. */
  address: string
  /** Maximum time from the end of an utterance to its text, in milliseconds. Default 60,000. */
  timeLimitMs?: number
  /** Receives the reason if the programs cannot be listed. */
  warn(message: string): void
}

const maxOpenUtterances = 32
const usualPort = 10_300

/** A Wyoming server. Each utterance has a connection of its own, because some servers close it after a transcript. */
export async function createWyomingRecogniser(
  options: WyomingRecogniserOptions,
): Promise<Recogniser> {
  const { address, timeLimitMs = 60_000, warn } = options
  const closing = new AbortController()
  const slots = createUtteranceSlots(maxOpenUtterances, 0)
  const open = (signal: AbortSignal) => openConnection(address, signal)
  const programs = createDescribedList({
    open,
    read: readPrograms,
    warn: (reason) =>
      warn(`The recognisers of ${address} are not offered until they can be listed. ${reason}`),
  })
  await programs.refresh()
  const languagesOf = (wanted: string) =>
    programs.list().find(({ modelId }) => modelId === wanted)?.languages ?? []

  return {
    name: 'wyoming',
    get models() {
      return programs.list()
    },
    async open(request) {
      const languages = languagesOf(request.modelId)
      const release = await slots.acquire(request.signal)
      const utterance = new WyomingUtterance({
        address,
        timeLimitMs,
        request,
        closing: closing.signal,
      })
      utterance.ended.then(release)
      return utterance.open(open, languages)
    },
    async close() {
      closing.abort()
      programs.close()
    },
  }
}

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
