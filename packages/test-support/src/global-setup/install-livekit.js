import { install } from '../../../../scripts/prepare.js'

/** Installs LiveKit Agents, 400 MB, with which the nightly tests talk to the local service. */
export default async function setup() {
  await install('Installing LiveKit Agents', 'test/livekit')
}
