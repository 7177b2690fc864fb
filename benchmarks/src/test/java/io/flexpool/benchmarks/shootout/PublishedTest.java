// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.shootout;

import static org.assertj.core.api.Assertions.assertThat;

import io.flexpool.benchmarks.shootout.Published.Jdk;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PublishedTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            druid            | JDK7 | 309 605 1028 947 962 897 1238
            dbcp             | JDK7 | 924 1461 4062 4030 4908 5505 14517
            boneCP           | JDK7 | 3047 2055 2549 3821 6367 12865 18832
            c3p0             | JDK7 | 4018 8206 8897 10667 12367 25822 38681
            proxool          | JDK7 | 6912 4714 4851 11908 16066 19568 18036
            tomcat-jdbc      | JDK7 | 400 740 1811 1707 1618 1624 11905
            jboss-datasource | JDK7 | 1369 1105 4002 3089 3483 3665 11782
            druid            | JDK6 | 248 710 1133 1134 905 1107 1468
            dbcp             | JDK6 | 660 1522 3545 4176 3671 4237 14129
            boneCP           | JDK6 | 3522 2930 2579 3745 7434 11991 14584
            c3p0             | JDK6 | 4275 9509 3371 10439 13472 19848 36153
            proxool          | JDK6 | 7187 7707 11037 10777 15222 18100 21547
            tomcat-jdbc      | JDK6 | 372 736 1879 1727 1576 1322 12545
            jboss-datasource | JDK6 | 1326 1184 2928 3765 3099 3278 10812
            """)
    void everyFigureIsThePublishedOne(String label, Jdk jdk, String figures) {
        Published row = Arrays.stream(Published.values())
                .filter(any -> any.label().equals(label))
                .findFirst()
                .orElseThrow();

        assertThat(Published.threads()).containsExactly(1, 2, 5, 10, 20, 50, 100);
        assertThat(Published.threads().stream()
                        .map(threads -> row.ms(jdk, threads).getAsInt())
                        .toList())
                .isEqualTo(List.of(figures.split(" ")).stream()
                        .map(Integer::valueOf)
                        .toList());
        assertThat(row.ms(jdk, 3)).isEmpty();
    }
}
