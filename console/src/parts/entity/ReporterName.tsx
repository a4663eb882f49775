import { Text } from '@mantine/core'

type Reporter = { kind: string; name: string; email?: string | undefined }

/** Who reported, in words; of a colleague also the address, when pointed at. */
export function ReporterName({ of, fw }: { of: Reporter | undefined; fw?: number }) {
  if (of === undefined) return null
  return (
    <Text span size="sm" {...(fw !== undefined && { fw })} title={of.email} data-testid="reporter">
      {of.kind === 'feed' ? `feed ${of.name}` : of.name}
    </Text>
  )
}
