import { install } from '../../../scripts/prepare.js'

/** Installs what users may install beside the local service, apart from what it comes with: some of it is under the GPL. */
export default async function setup() {
  await install('Installing the optional engines', 'test/optional')
}
