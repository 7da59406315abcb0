import { pulsePrograms } from '@parlando/test-support/audio/pulse'
import { startFakeHttpRed } from '@parlando/test-support/node-red/fake-http-red'
import { createSpeakerKinds } from '../kinds/kinds.ts'
import { loadDriverTest } from './driver-test-case.ts'
import { describeDriver } from './driver-test-suite.ts'

const http = await startFakeHttpRed()
const kinds = Object.keys(createSpeakerKinds(http.RED))
await http.close()

for (const kind of kinds) {
  const { programs = [], default: createCase } = await loadDriverTest(kind)
  describeDriver(`the speaker "${kind}"`, [...pulsePrograms, ...programs], createCase)
}
