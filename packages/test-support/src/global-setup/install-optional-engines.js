import { install } from '../../../../scripts/prepare.js'

/** Installs the optional engines. No package depends on them, since some are under the GPL: users install them. */
export default async function setup() {
  await install('Installing the optional engines', 'test/optional')
}
