// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.overhead;

import io.flexpool.benchmarks.kit.JvmFacts;
import io.flexpool.benchmarks.overhead.OverheadJvm.Answer;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Made-up answers of JVMs. */
final class Jvms {
    static final JvmFacts OLD = new JvmFacts("17.0.15", "Debian", "OpenJDK 64-Bit Server VM 17.0.15+6", "G1", 2, 6028);
    static final JvmFacts NEW =
            new JvmFacts("25.0.3", "Eclipse Adoptium", "OpenJDK 64-Bit Server VM 25.0.3+9", "G1", 2, 6028);

    private Jvms() {}

    static OverheadRow row(Load load, int sliceMs, String variant, double diff, @Nullable Double ideals, double bytes) {
        return new OverheadRow(
                load.threads(), load.pool(), sliceMs, variant, 100 + diff, diff, diff - 1, diff + 1, ideals, bytes);
    }

    static Answer answer(JvmFacts facts, OverheadRow... rows) {
        return new Answer(facts, 0.25, 140.4, Map.of("bare", 0L, "flexpool-bound", 12L), List.of(rows));
    }
}
