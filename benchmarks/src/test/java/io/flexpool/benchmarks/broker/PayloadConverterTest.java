// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.broker;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PayloadConverterTest {
    @ParameterizedTest
    @CsvSource({"1,1,1", "1000,1000,1000", "1k,1024,1k", "10K,10240,10k", "2048,2048,2k", "1024k,1048576,1024k"})
    void aSizeIsReadInBytesOrKilobytesAndWrittenBack(String given, int bytes, String text) {
        assertThat(new PayloadConverter().convert(given)).isEqualTo(bytes);
        assertThat(PayloadConverter.text(bytes)).isEqualTo(text);
    }
}
