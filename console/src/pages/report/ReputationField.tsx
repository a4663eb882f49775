import { Select } from '@mantine/core'
import { formatReputation, reputationLabel, reputationSign } from '../../parts/entity/scores.ts'

const DATA = [
  { value: 'none', label: 'No opinion (sighting only)' },
  ...[-3, -2, -1, 0, 1, 2, 3].map((score) => ({
    value: String(score),
    label: `${reputationSign(score)} ${reputationLabel(score)} ${formatReputation(score)}`,
  })),
]

type Props = { value: number | null; change: (value: number | null) => void; error?: string | undefined }

/** The field for a reputation, by sign, word and number. A report without one is a sighting. */
export function ReputationField({ value, change, error }: Props) {
  return (
    <Select
      label="Reputation"
      description="How benign or malicious you consider the entity."
      data={DATA}
      value={value === null ? 'none' : String(value)}
      onChange={(picked) => change(picked === null || picked === 'none' ? null : Number(picked))}
      allowDeselect={false}
      error={error}
      data-param="reputation"
    />
  )
}
