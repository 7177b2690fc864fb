// SPDX-License-Identifier: Apache-2.0
package io.flexpool.benchmarks.simulate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The published figures can only be compared with those of another version if the model stays as it is. */
class PublishedFiguresTest {
    private static final double ROUNDING = 1e-9;

    /** As the first version of the simulator had them, seed 1, with a pool that keeps its size. */
    @ParameterizedTest
    @CsvSource({
        "steady,5,21842,0,0.025392761931256082,4.999999999999933",
        "steady,12,21842,0,0.02352185473579596,11.999999999999984",
        "step,5,33097,5564,1.570636479194713,5.000000000000001",
        "step,12,33097,0,0.048253981930829276,12.000000000000046",
        "step-down,5,21234,2884,1.2458037610566892,5.0",
        "step-down,12,21234,0,0.04638106596120338,12.000000000000076",
        "burst,5,18451,0,0.029217708542825963,4.999999999999992",
        "burst,12,18451,0,0.02576295786112297,12.000000000000005",
        "slow-x10,5,18252,2378,0.7161521087543204,5.0000000000000115",
        "slow-x10,12,18252,2129,0.6704157145997777,11.999999999999929",
        "slow-x3,5,14615,863,0.5629454188154871,4.999999999999969",
        "slow-x3,12,14615,0,0.06747479666852299,11.999999999999972",
        "latency,5,12743,2720,1.2214203577095557,4.999999999999979",
        "latency,12,12743,732,0.578815311269751,12.00000000000002",
        "overload,5,36008,11701,1.9809859233346947,5.000000000000019",
        "overload,12,36008,6870,1.4421653622468293,12.00000000000005",
        "leak,5,10958,7931,3.6611996334159715,4.999999999999996",
        "leak,12,10958,5801,2.6816293981736674,11.999999999999886",
        "outage,5,18253,1942,0.5585477859340224,4.440833333333351",
        "outage,12,18253,1942,0.5572337441263204,10.643999999999837",
        "think,5,21845,11899,3.115968949430359,5.000000000000007",
        "think,12,21845,2090,1.2909043445609243,11.999999999999988"
    })
    void thePublishedScenariosAreWhatTheyWere(
            String name, int size, int requests, int failures, double meanSeconds, double meanHeld) {
        Scenario scenario = Scenarios.ALL.stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();

        SimResult run = Simulation.run(BestStatic.sized(scenario, size), 1, new StaticSize());

        assertThat(run.requests()).isEqualTo(requests);
        assertThat(run.failures()).isEqualTo(failures);
        assertThat(run.meanSeconds()).isCloseTo(meanSeconds, within(ROUNDING));
        assertThat(run.meanHeld()).isCloseTo(meanHeld, within(ROUNDING));
    }
}
