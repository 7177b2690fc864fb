// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.Executor;
import javax.sql.DataSource;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;

/**
 * Sets the order in which beans of a context end. Spring destroys beans in the reverse order of their creation. So an
 * executor created before the pool, for example Spring Boot's, ends after the pool, and the tasks that it awaits find
 * the pool closed.
 */
final class EndOrder {
    private EndOrder() {}

    /** Makes all executors and schedulers end before all data sources, except those on which a data source depends. */
    static void executorsFirst(ConfigurableListableBeanFactory beans) {
        for (String pool : beans.getBeanNamesForType(DataSource.class, true, false)) {
            if (!beans.containsSingleton(pool)) {
                continue;
            }
            Set<String> needed = dependencies(beans, pool);
            for (String executor : beans.getBeanNamesForType(Executor.class, true, false)) {
                if (beans.containsSingleton(executor) && !needed.contains(executor)) {
                    beans.registerDependentBean(pool, executor);
                }
            }
        }
    }

    /** The bean and all its direct and indirect dependencies. */
    private static Set<String> dependencies(ConfigurableListableBeanFactory beans, String bean) {
        Set<String> found = new HashSet<>(Set.of(bean));
        Deque<String> left = new ArrayDeque<>(found);
        while (!left.isEmpty()) {
            for (String dependency : beans.getDependenciesForBean(left.pop())) {
                if (found.add(dependency)) {
                    left.push(dependency);
                }
            }
        }
        return found;
    }
}
