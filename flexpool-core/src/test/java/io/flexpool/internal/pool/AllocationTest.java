// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A lease, a statement and a result set each cost one object, whatever is called on them. The goal of a lease is 32 bytes, that of
 * the others 24 bytes with compressed references.
 */
@Timeout(300)
class AllocationTest {
    @Test
    void aStatementAndAResultSetCostOneObjectEach() throws Exception {
        List<String> lines = OwnJvm.run(AllocatedBytes.class, List.of("-Xint", "-XX:+UseCompressedOops"));
        assertThat(lines)
                .filteredOn(line -> line.startsWith("statement "))
                .hasSize(2)
                .containsOnly("statement 24");
        assertThat(lines)
                .filteredOn(line -> line.startsWith("results "))
                .hasSize(2)
                .containsOnly("results 24");
        assertThat(lines)
                .filteredOn(line -> line.startsWith("lease "))
                .hasSize(2)
                .containsOnly("lease 32");
        // A statement whose calls are timed has its text; a result, whether it was read to its end.
        assertThat(lines).contains("timed lease 32", "timed statement 32", "timed results 32");
    }
}
