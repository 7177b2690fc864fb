// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus;

import io.quarkus.arc.runtime.BeanContainer;
import io.quarkus.runtime.annotations.Recorder;
import java.util.List;

/** What is recorded while an application is built and runs when it starts. */
@Recorder
public class FlexPoolRecorder {
    /** Made by Quarkus. */
    public FlexPoolRecorder() {}

    /**
     * Refuses wrong keys before anything is served.
     *
     * @param beans the application's
     * @param dataSources the names of its datasources
     * @throws io.quarkus.runtime.configuration.ConfigurationException naming all that is wrong
     */
    public void check(BeanContainer beans, List<String> dataSources) {
        beans.beanInstance(PoolWrapping.class).check(dataSources);
    }
}
