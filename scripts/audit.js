// npm run audit: known holes in what is installed with the packages. Ends with 0 when there are none, and when the
// registry keeps no list of them.
import { execFile } from 'node:child_process'
import { repository } from './prepare.js'

/** What a mirror answers that has packages and nothing else. */
const statusesOfNoList = [404, 405, 501]

const { report, complaints } = await askNpm()
if (statusesOfNoList.includes(report.statusCode)) {
  console.log('Not looked for known holes: this registry keeps no list of them.')
} else if (!report.vulnerabilities) {
  console.error(`Could not look for known holes:\n${complaints}`)
  process.exitCode = 1
} else {
  const holes = Object.values(report.vulnerabilities).map(
    (hole) => `${hole.name} (${hole.severity})`,
  )
  if (holes.length === 0) console.log('No known holes in what is installed with the packages.')
  else console.error(`Known holes, see npm audit --omit=dev: ${holes.join(', ')}`)
  process.exitCode = holes.length === 0 ? 0 : 1
}

function askNpm() {
  const options = { cwd: repository, shell: process.platform === 'win32' }
  return new Promise((resolve) => {
    execFile('npm', ['audit', '--omit=dev', '--json'], options, (_error, output, complaints) =>
      resolve({ report: output.startsWith('{') ? JSON.parse(output) : {}, complaints }),
    )
  })
}
