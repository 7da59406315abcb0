import { readAddress } from '../../remote/wyoming/open-connection.ts'
import { defineEngine } from '../define-engine.ts'
import { createRemoteEngine } from '../remote/remote-engine.ts'
import { createWyomingSpeechServer } from './wyoming-speech-server.ts'

const usualPort = 10_200

/** Offers the voices of a server of the Wyoming protocol, such as those of Home Assistant. */
export const wyoming = defineEngine({
  name: 'wyoming',
  options: {
    wyomingSpeech: {
      placeholder: 'ADDRESS',
      help: 'address of a Wyoming server that speaks, such as tcp://192.168.1.5:10200, whose voices are offered too',
      read: (text) => readAddress(text, usualPort),
    },
  },
  start({ options: { wyomingSpeech: address }, warn }) {
    if (!address) return undefined
    const serverName = { subject: `The Wyoming server, ${address},`, option: '--wyoming-speech' }
    // Most of these servers are Piper, which reads a text with espeak-ng and misreads more than our own rules.
    const spellsOutEnglish = true
    const server = createWyomingSpeechServer(address, serverName)
    return createRemoteEngine({
      name: 'wyoming',
      address,
      server,
      serverName,
      spellsOutEnglish,
      warn,
    })
  },
})
