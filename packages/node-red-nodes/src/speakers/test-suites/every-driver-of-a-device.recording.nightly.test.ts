import { pulsePrograms } from '@parlando/test-support/audio/pulse'
import { startFakeHttpRed } from '@parlando/test-support/node-red/fake-http-red'
import { createSpeakerKinds } from '../kinds/kinds.ts'
import { describeDevice } from './device-test-suite.ts'
import { loadDriverTest } from './driver-test-case.ts'

const http = await startFakeHttpRed()
const kinds = Object.keys(createSpeakerKinds(http.RED))
await http.close()

for (const kind of kinds) {
  const { programs = [], createDeviceCase } = await loadDriverTest(kind)
  if (!createDeviceCase) continue
  const needed = [...pulsePrograms, ...programs]
  describeDevice(`the device of the speaker "${kind}"`, needed, createDeviceCase)
}
