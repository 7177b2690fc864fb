// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class OverheadReportTest {
    private static OverheadRow row(int threads, int pool, String variant, double diff, double bytes) {
        return new OverheadRow(threads, pool, variant, 100 + diff, diff, diff - 1, diff + 1, diff / 100, bytes);
    }

    @Test
    void aPageHasARowPerVariantAndTwoColumnsPerLoad() {
        OverheadReport report = OverheadReport.of(
                150,
                Map.of("bare", 0L, "flexpool-bound", 12L),
                List.of(
                        row(1, 2, "bare", 0, 56),
                        row(1, 2, "flexpool-bound", 120, 88),
                        row(8, 4, "bare", 0, 90),
                        row(8, 4, "flexpool-bound", 151, 300)));

        String page = report.markdown();

        assertThat(page).contains("""

                        | variant | 1:2 D ns | D / I | 8:4 D ns | D / I | bytes over bare |
                        |---|---:|---:|---:|---:|---:|
                        | bare | 0.0 | 0.00 | 0.0 | 0.00 | 0 |
                        | flexpool-bound | 120.0 | 1.20 | 151.0 | 1.51 | 32 |

                        goals, 1:2:

                        - all goals met: flexpool-bound

                        goals, 8:4:

                        - flexpool-bound: D at most 1.50 I: missed (1.51)
                        """);
        assertThat(report.notes()).allSatisfy(note -> assertThat(page).contains(note));
    }
}
