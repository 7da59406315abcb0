import type { ListedDevice } from '../../speakers/speaker-kind.ts'
import { askAdmin } from '../ask-admin.ts'
import { choiceField } from '../fields/choice-field.ts'
import type { Choice } from '../fields/choices.ts'
import { RED } from '../red.ts'

/**
 * Turns the field of a speaker's device into a list of the devices that its kind knows, which also accepts free text.
 * @param readForm The settings in the form.
 */
export function deviceField(input: JQuery<HTMLElement>, readForm: () => object): void {
  choiceField({
    input,
    async load() {
      const { devices } = await askAdmin<{ devices: ListedDevice[] }>('speaker-devices', readForm())
      return devices.map(toChoice)
    },
  })
}

function toChoice({ id, name, room, abilities }: ListedDevice): Choice {
  const words = abilities.map((ability) =>
    RED._(`@parlando/node-red/parlando-speaker:speaker.ability.${ability}`),
  )
  return { value: id, label: name || id, group: room, note: [id, ...words].join(' · ') }
}
