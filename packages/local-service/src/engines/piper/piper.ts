import { readBaseUrl } from '../../config/option.ts'
import { defineEngine } from '../define-engine.ts'
import { createRemoteEngine } from '../remote/remote-engine.ts'
import { createPiperServer } from './piper-server.ts'

/** Offers the voices of Piper's HTTP server. */
export const piper = defineEngine({
  name: 'piper',
  options: {
    piper: {
      placeholder: 'URL',
      help: "address of Piper's HTTP server, such as http://192.168.1.5:5000, whose voices are offered too",
      read: readBaseUrl,
    },
  },
  start({ options: { piper: address }, warn }) {
    if (!address) return undefined
    const serverName = { subject: `The Piper server, ${address},`, option: '--piper' }
    // It reads a text with espeak-ng, which misreads more than our own rules.
    const spellsOutEnglish = true
    const server = createPiperServer(address, serverName)
    return createRemoteEngine({
      name: 'piper',
      address,
      server,
      serverName,
      spellsOutEnglish,
      warn,
    })
  },
})
