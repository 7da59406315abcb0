import type { RecogniserCase } from '../../part-registry/part-test-case.ts'

const startCase: RecogniserCase = async () => ({})

export default startCase
