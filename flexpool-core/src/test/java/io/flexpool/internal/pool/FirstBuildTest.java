// SPDX-License-Identifier: Apache-2.0
package io.flexpool.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.FlexPool;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * How many classes of flexpool the first build of a JVM and the first call load, lambdas among them. Each costs the start of an
 * application a tenth of a millisecond. A number may fall freely; to raise one needs a reason beside it. Classes of the JDK are not
 * counted, because which of them are loaded before depends on the log.
 */
@Timeout(300)
class FirstBuildTest {
    // Raised from 138: the order of waiting requests is one type for configuration and one for the gate.
    // Raised from 150: what code sets is read and refused as properties are, by the reader that reads these.
    // One more: the interface by which a lease shows what it does with its session. One more: Insight.Findings.
    @ParameterizedTest
    @CsvSource({"0, 138", "4, 175"})
    void theFirstBuildLoadsFewClasses(int base, long most) throws Exception {
        List<String> loaded = OwnJvm.run(
                        FirstBuild.class,
                        List.of("-XX:TieredStopAtLevel=1", "-Xlog:class+load:stdout:none"),
                        Integer.toString(base))
                .stream()
                .map(line -> line.split(" ", 2)[0])
                .dropWhile(name -> !name.equals(FlexPool.class.getName()))
                .filter(name -> name.startsWith("io.flexpool."))
                .toList();
        System.out.println("classes of the first build, limit " + base + ": " + loaded.size() + " of at most " + most);
        assertThat(loaded).hasSizeBetween(100, (int) most);
    }
}
