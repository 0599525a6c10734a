// deploy/observability/boards: Grafana boards, built with Grafana's typed builders. `npm run verify -- boards` sends every query
// to a real Prometheus.

import { LegendDisplayMode, VizLegendOptionsBuilder } from '@grafana/grafana-foundation-sdk/common'
import { DashboardBuilder, DatasourceVariableBuilder } from '@grafana/grafana-foundation-sdk/dashboard'
import { DataqueryBuilder } from '@grafana/grafana-foundation-sdk/prometheus'
import { PanelBuilder } from '@grafana/grafana-foundation-sdk/timeseries'
import { type Board, boardList, type Panel } from './board-list.ts'

export function boards(): readonly (readonly [name: string, text: string])[] {
  return boardList.map((board) => [board.name, `${JSON.stringify(toDashboard(board).build())}\n`])
}

// The viewer chooses the data source; the provisioned one is the default.
const datasource = { type: 'prometheus', uid: `\${source}` } as const

function toDashboard({ name, title, description, panels }: Board): DashboardBuilder {
  const empty = new DashboardBuilder(`Ringproof: ${title}`)
    .uid(`ringproof-${name}`)
    .description(description)
    .tags(['ringproof'])
    .refresh('30s')
    .time({ from: 'now-6h', to: 'now' })
    .withVariable(new DatasourceVariableBuilder('source').label('Prometheus').type('prometheus'))
  return panels.reduce((board, panel) => board.withPanel(toPanel(panel)), empty)
}

function toPanel({ title, description, unit, queries }: Panel): PanelBuilder {
  const empty = new PanelBuilder().title(title).description(description).unit(unit).datasource(datasource)
  const legendBelow = new VizLegendOptionsBuilder().showLegend(true).displayMode(LegendDisplayMode.List)
  // Two panels in a row.
  return queries.reduce(
    (panel, { legend, expression }, index) =>
      panel.withTarget(
        new DataqueryBuilder()
          .refId(String.fromCharCode('A'.charCodeAt(0) + index))
          .expr(expression)
          .legendFormat(legend),
      ),
    empty.span(12).height(8).axisSoftMin(0).legend(legendBelow),
  )
}
