// SPDX-License-Identifier: Apache-2.0
package io.flexpool.spring;

import java.util.Set;
import java.util.TreeSet;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;

/** Refuses, once all beans are known, what is configured for a pool or bean that there is not and is most likely a typo. */
final class PoolNames implements SmartInitializingSingleton {
    private final FlexPoolKeys keys;
    private final FlexPools pools;
    private final ListableBeanFactory beans;

    PoolNames(FlexPoolKeys keys, FlexPools pools, ListableBeanFactory beans) {
        this.keys = keys;
        this.pools = pools;
        this.beans = beans;
    }

    /** Without a data source there is no name to be mistaken for: a test of a part of an application. */
    @Override
    public void afterSingletonsInstantiated() {
        Set<String> names = new TreeSet<>();
        for (String bean : BeanFactoryUtils.beanNamesForTypeIncludingAncestors(beans, DataSource.class, true, false)) {
            names.add(PoolWrapping.plain(bean));
        }
        if (names.isEmpty() || !keys.enabled()) {
            return;
        }
        Set<String> poolNames = new TreeSet<>(pools.byName().keySet());
        names.forEach(bean -> poolNames.add(keys.nameOf(bean)));
        keys.checkNames(names, poolNames);
    }
}
