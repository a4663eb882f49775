import { Badge, Group, Paper, Progress, Stack, Text, Title } from '@mantine/core'
import { formatInstant } from '../../parts/time/RelativeTime.tsx'
import classes from './UsageTable.module.css'
import { type Feature, featureName, resetTime, stateOf, type UsageState, usageText, windowText } from './usage.ts'

const COLOURS: Record<UsageState, string> = {
  unlimited: 'gray',
  off: 'gray',
  full: 'red',
  high: 'orange',
  free: 'teal',
}
const WORDS: Partial<Record<UsageState, string>> = { full: 'reached', high: 'nearly reached' }

/** Bars of one service. `now` in Unix milliseconds says how long a window still lasts. */
export function UsageTable({ service, features, now }: { service: string; features: Feature[]; now: number }) {
  return (
    <Stack gap={6} component="section" aria-label={service}>
      <Title order={2} size="h5" ff="monospace">
        {service}
      </Title>
      <Paper withBorder component="ul" className={classes.list}>
        {features.map((feature) => (
          <Usage key={feature.featureKey} feature={feature} now={now} />
        ))}
      </Paper>
    </Stack>
  )
}

function Usage({ feature, now }: { feature: Feature; now: number }) {
  const state = stateOf(feature)
  const { featureKey, currentUsage, limit } = feature
  const period = windowText(feature, now)
  const resets = resetTime(feature)
  const bounded = limit > 0
  return (
    <li className={classes.row} data-testid={`usage-${featureKey}`} data-state={state}>
      <div>
        <Text size="sm" lh={1.3}>
          {featureName(feature)}
        </Text>
        <Text size="xs" c="dimmed" lh={1.3} className="value">
          {featureKey}
        </Text>
      </div>
      <div>
        <Group gap="xs" justify="space-between" mb={bounded ? 3 : 0} mih={18}>
          <Text size="sm" lh={1.3} {...(bounded ? {} : { c: 'dimmed' })} className={classes.figures}>
            {usageText(feature)}
          </Text>
          {WORDS[state] && (
            <Badge variant="light" autoContrast color={COLOURS[state]} size="xs" tt="none">
              {WORDS[state]}
            </Badge>
          )}
        </Group>
        {bounded && (
          <Progress.Root size="sm">
            <Progress.Section
              value={currentUsage === 0 ? 0 : Math.min(100, Math.max(1, (100 * currentUsage) / limit))}
              color={COLOURS[state]}
              aria-label={`${featureName(feature)}: ${usageText(feature)}`}
            />
          </Progress.Root>
        )}
      </div>
      {period !== null && (
        <Text
          size="xs"
          c="dimmed"
          className={classes.figures}
          {...(resets === null ? {} : { title: formatInstant(resets) })}
        >
          {period}
        </Text>
      )}
    </li>
  )
}
