import { install } from '../../../scripts/prepare.js'

/** Installs the optional engines, which users install themselves: some of them are under the GPL. */
export default async function setup() {
  await install('Installing the optional engines', 'test/optional')
}
