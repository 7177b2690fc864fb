// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring.actuator;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which addresses of the documentation the page accepts. */
class PoolPageTest {
    private static String documentation(String address) {
        return PoolPage.load()
                .html(address)
                .lines()
                .filter(line -> line.contains("name=\"documentation\""))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @ValueSource(strings = {"https://docs.example.org/flexpool", "http://127.0.0.1:8080/a-b/%7Eme", "/docs"})
    void anAddressIsWritten(String address) {
        assertThat(documentation(address)).isEqualTo("<meta name=\"documentation\" content=\"" + address + "\">");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "javascript:alert(1)", "data:text/html,x", "/\"><script>alert(1)</script>", "docs"})
    void anythingElseIsNot(String address) {
        assertThat(documentation(address)).isEqualTo("<meta name=\"documentation\" content=\"\">");
    }
}
