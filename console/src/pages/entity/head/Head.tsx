import { Badge, Group, Paper, ScrollArea, Stack, Text } from '@mantine/core'
import { IconShieldCheck } from '@tabler/icons-react'
import { Accuracy, Reputation } from '../../../parts/entity/ScoreBadge.tsx'
import { defang } from '../../../parts/indicators/defang.ts'
import { RelativeTime } from '../../../parts/time/RelativeTime.tsx'
import type { Details } from '../answers.ts'
import { SeenFact } from '../seen/SeenFact.tsx'
import { AroundEntity } from './AroundEntity.tsx'
import { Copy } from './Copy.tsx'
import { CoveringNetworks } from './CoveringNetworks.tsx'
import { Fact } from './Fact.tsx'
import { ReportCount } from './ReportCount.tsx'
import { StandingLines } from './StandingLines.tsx'
import type { Standing } from './useStanding.ts'
import { VerdictLine } from './VerdictLine.tsx'

const LONG = 120

/** The summary of the entity. */
export function Head({ entity, standing }: { entity: Details; standing: Standing }) {
  const { id, type, value, reputation, accuracy, tags, wellKnown, firstSeen, lastSeen, sources, geolocations } = entity
  const harmless = defang(type, value)
  return (
    <Paper withBorder p="md" component="section" aria-label="Summary" data-testid="head">
      <Stack gap="sm">
        <VerdictLine evidence={standing.evidence} />
        <Group gap="xs">
          <Reputation of={reputation.current} accuracy={accuracy.value} />
          {wellKnown && (
            <Badge variant="outline" color="teal" tt="none" leftSection={<IconShieldCheck size={14} aria-hidden />}>
              Well known
            </Badge>
          )}
          <Copy text={value} label="Copy the value" words="Copy" />
          {harmless !== value && <Copy text={harmless} label="Copy the value defanged" words="Copy defanged" />}
          <Copy text={id} label="Copy the id" words="Copy id" />
        </Group>
        <StandingLines verdict={standing.verdict} retracted={standing.retracted} />
        {value.length > LONG && (
          <ScrollArea.Autosize mah={160} type="auto" viewportProps={{ tabIndex: 0, 'aria-label': 'The whole value' }}>
            <Text size="sm" className="value" data-testid="value">
              {value}
            </Text>
          </ScrollArea.Autosize>
        )}
        <Group component="dl" m={0} align="start" style={{ gap: '12px 32px' }}>
          <Fact name="Accuracy">
            <Accuracy of={accuracy.value} />
          </Fact>
          <Fact name="Best active claim">
            <Reputation of={reputation.best} />
          </Fact>
          <Fact name="Worst active claim">
            <Reputation of={reputation.worst} />
          </Fact>
          <Fact name="First seen">
            <RelativeTime at={firstSeen} />
          </Fact>
          <Fact name="Last seen">
            <RelativeTime at={lastSeen} />
          </Fact>
          <Fact name="Sources">
            <span data-testid="sources">{sources}</span>
          </Fact>
          <ReportCount id={id} />
          <SeenFact entity={entity} />
          {geolocations.map(({ country, asn, aso }) => (
            <Fact key={`${country} ${asn}`} name="Location">
              {[country, asn === null ? null : `AS${asn}`, aso].filter(Boolean).join(' · ')}
            </Fact>
          ))}
        </Group>
        <Group gap={6} data-testid="tags">
          <Text size="xs" c="dimmed">
            {tags.length === 0 ? 'No tags' : 'Tags'}
          </Text>
          {tags.map((tag) => (
            <Badge key={tag} variant="default" tt="none" fw={500} maw="100%">
              {tag}
            </Badge>
          ))}
        </Group>
        {type === 'ip' && <CoveringNetworks id={id} />}
        <AroundEntity entity={entity} />
      </Stack>
    </Paper>
  )
}
