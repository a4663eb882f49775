import type { EChartsCoreOption } from 'echarts/core'
import type { Day } from './figures.ts'

const SHORT = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const STRIPES = { symbol: 'rect', dashArrayX: [1, 0], dashArrayY: [2, 3], rotation: -Math.PI / 4 }

/** Stacked bars, malicious ones striped below the others; one kind of bar until it is known which are malicious. */
export function timelineOption(days: readonly Day[], dark: boolean): EChartsCoreOption {
  const known = days.every(({ malicious }) => malicious !== null)
  const red = dark ? '#ff8787' : '#c92a2a'
  const teal = dark ? '#2da598' : '#0b6a61'
  const bars = { type: 'bar', stack: 'day', barCategoryGap: '25%', barMinHeight: 1 }
  const malicious = {
    ...bars,
    name: 'malicious',
    color: red,
    itemStyle: { decal: { ...STRIPES, color: dark ? '#00000055' : '#ffffff66' } },
    data: days.map((day) => day.malicious || null),
  }
  const others = {
    ...bars,
    name: known ? 'others' : 'entities',
    color: teal,
    data: days.map((day) => day.count - (day.malicious ?? 0) || null),
  }
  return {
    grid: { left: 4, right: 8, top: 34, bottom: 4, containLabel: true },
    legend: { top: 0, right: 0, itemHeight: 10, selectedMode: false },
    tooltip: { trigger: 'axis', confine: true, axisPointer: { type: 'shadow' } },
    xAxis: {
      type: 'category',
      data: days.map(({ day }) => day),
      axisTick: { show: false },
      axisLabel: { formatter: (day: string) => SHORT.format(new Date(day)), hideOverlap: true },
    },
    yAxis: { type: 'value', minInterval: 1, splitNumber: 4 },
    series: known ? [malicious, others] : [others],
  }
}
