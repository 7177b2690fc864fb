// SPDX-License-Identifier: Apache-2.0
package io.flexpool.quarkus;

import io.quarkus.arc.runtime.BeanContainer;
import io.quarkus.runtime.annotations.Recorder;
import java.util.List;

/** The steps that the build records as bytecode, for the application's start. */
@Recorder
public class FlexPoolRecorder {
    /** Created by Quarkus. */
    public FlexPoolRecorder() {}

    /**
     * Refuses wrong keys before the application serves requests.
     *
     * @param beans the application's beans
     * @param dataSources the names of its datasources
     * @throws io.quarkus.runtime.configuration.ConfigurationException if keys are wrong; the message names all of them
     */
    public void check(BeanContainer beans, List<String> dataSources) {
        beans.beanInstance(PoolWrapping.class).check(dataSources);
    }
}
