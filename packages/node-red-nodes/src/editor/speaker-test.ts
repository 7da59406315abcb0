import { askAdmin } from './admin.ts'
import { RED } from './red.ts'

const settings = ['kind', 'name', 'volume', 'maxVolume', 'leadIn', 'leadOut'] as const

/** The button of a speaker's form that plays a chime with the settings in the form, and says what happened. */
export function speakerTest(): void {
  const button = $('#parlando-speaker-test')
  const result = $('#parlando-speaker-result')
  button.on('click', async () => {
    button.prop('disabled', true)
    result
      .removeClass('parlando-problem')
      .text(RED._('@parlando/node-red/parlando-speaker:speaker.label.testing'))
    try {
      const fields = settings.map((name) => [name, $(`#node-config-input-${name}`).val()])
      const speaker = Object.fromEntries(fields)
      result.text((await askAdmin<{ message: string }>('test-speaker', { speaker })).message)
    } catch (error) {
      result.addClass('parlando-problem').text((error as Error).message)
    }
    button.prop('disabled', false)
  })
}
