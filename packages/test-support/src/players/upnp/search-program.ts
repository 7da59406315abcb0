// Runs in the network of a device: searches until the device is found, and prints what was found. Its arguments are the name of the
// device, and its command.
import { spawn } from 'node:child_process'
import { dlnaSpeaker } from '../../../../node-red-nodes/src/speakers/kinds/dlna/dlna.ts'
import { mpdSpeaker } from '../../../../node-red-nodes/src/speakers/kinds/mpd/mpd.ts'
import {
  type FoundSpeaker,
  searchSpeakers,
} from '../../../../node-red-nodes/src/speakers/search/search-speakers.ts'

const limitMs = 30_000
const [name = '', command = '', ...options] = process.argv.slice(2)
const device = spawn(command, options, { stdio: 'ignore' })
const signal = AbortSignal.timeout(limitMs)
const kinds = { dlna: dlnaSpeaker, mpd: mpdSpeaker }
let found: FoundSpeaker[] = []
while (!found.some((one) => one.name === name)) {
  found = await searchSpeakers({ _: (key: string) => key }, kinds, { searchMs: 1000, signal })
}
console.log(JSON.stringify(found))
device.kill('SIGKILL')
